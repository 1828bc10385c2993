/** `redrive/api`: the typed client of the HTTP API. */
export { ApiError, type ApiErrorInit } from './api-error';
export {
  type ApiClient,
  type ApiClientOptions,
  type ApiInput,
  type ApiReply,
  type ApiRequestOptions,
  createApiClient,
} from './create-api-client';
