/** The OpenAPI description as JSON, made once a process. */
import { openApiDocument } from '@/lib/contract/api/openapi-document';
import { basePath } from '../authentication/sign-in-methods';
import { singleton } from '../singleton';

export const openApiText = singleton('open-api-text', () => JSON.stringify(openApiDocument(basePath())));
