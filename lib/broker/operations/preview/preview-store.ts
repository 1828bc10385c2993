/** Stored previews, by token. A confirmation is checked against its preview. */
import { randomBytes } from 'node:crypto';
import type { Actor } from '@/lib/broker/access/actor';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { evalScript, ScriptKeys } from '@/lib/broker/redis/script-runner';
import { noSuchPreview } from '@/lib/contract/not-found-errors';
import { PREVIEW_TTL_MS } from '@/lib/contract/operations/operation-kinds';
import { type StoredPreview, storedPreviewSchema } from '@/lib/contract/operations/operation-record';
import { RedriveError } from '@/lib/contract/redrive-error';

const PREVIEWS_PER_USER_MAX = 100;

const TOKEN = /^[0-9a-f]{40}$/;

/** @returns the token that confirms it */
export async function savePreview(ctx: BrokerContext, preview: StoredPreview, by: Actor): Promise<string> {
  const token = randomBytes(20).toString('hex');
  if (by.quotaOwner) await deleteOldest(ctx, by.quotaOwner.id, token);
  await ctx.plain((redis) =>
    evalScript(
      redis,
      'preview-save',
      new ScriptKeys([ctx.keys.preview(token)]),
      ['', JSON.stringify(preview), PREVIEW_TTL_MS],
      false,
    ),
  );
  return token;
}

/** A user who previews again and again must not fill Redis. */
async function deleteOldest(ctx: BrokerContext, user: string, token: string): Promise<void> {
  const reply = await ctx.run('preview-list', 'none', [user.slice(0, 300), token, PREVIEWS_PER_USER_MAX]);
  const oldest = replyList(reply, 'preview-list').map((item) => ctx.keys.preview(replyText(item)));
  // A preview that cannot be deleted expires.
  await Promise.allSettled(oldest.map((key) => ctx.plain((redis) => redis.del(key))));
}

/** Leaves the preview unused. @throws RedriveError PREVIEW_STALE */
export const readPreview = async (ctx: BrokerContext, token: string): Promise<StoredPreview> =>
  (await take(ctx, token, '')).preview;

/**
 * Marks it as used by one operation, which may repeat this: the same request, sent again.
 * @throws RedriveError PREVIEW_STALE when it expired or another operation used it
 */
export async function consumePreview(ctx: BrokerContext, token: string, operation: string): Promise<void> {
  const { used } = await take(ctx, token, operation);
  if (used === '-' || used === operation) return;
  throw new RedriveError(
    'PREVIEW_STALE',
    `This preview was confirmed already: operation ${used} came of it. Look at a new preview to do it once more.`,
    { fields: [{ field: 'previewToken', message: `was used by ${used}` }] },
  );
}

async function take(
  ctx: BrokerContext,
  token: string,
  operation: string,
): Promise<{ used: string; preview: StoredPreview }> {
  const reply = TOKEN.test(token)
    ? await ctx.plain((redis) =>
        evalScript(redis, 'preview-take', new ScriptKeys([ctx.keys.preview(token)]), ['', operation], false),
      )
    : null;
  if (reply !== null) {
    const [used, stored] = replyList(reply, 'preview-take');
    const parsed = storedPreviewSchema.safeParse(jsonOf(replyText(stored)));
    if (parsed.success) return { used: replyText(used), preview: parsed.data };
  }
  throw noSuchPreview();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
