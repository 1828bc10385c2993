/** The request that the console sends by itself: an alert to a channel of the kind `webhook`. */
import { WEBHOOK_HEADERS } from '../alerts/webhook-message';

const DESCRIPTION = `Sent to each channel of the kind \`webhook\` that the configuration names, and repeated until the receiver takes it. Check
the signature over the bytes of the body before you read it, refuse a timestamp that is more than five minutes away, and count an id once.`;

/** @param message the schema of its body */
export const openApiWebhooks = (message: object) => ({
  alert: {
    post: {
      operationId: 'receiveAlert',
      summary: 'Receive an alert',
      description: DESCRIPTION,
      security: [],
      parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { 'application/json': { schema: message } } },
      responses: {
        '2XX': { description: 'Taken' },
        '4XX': { description: 'Refused for good, but for 408 and 429' },
        default: { description: 'Not taken: the message is sent again' },
      },
    },
  },
});
