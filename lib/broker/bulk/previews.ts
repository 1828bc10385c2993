/** What a preview found, kept under its token until it is confirmed or runs out: what the confirmation is held to. */
import { randomBytes } from 'node:crypto';
import { RedriveError } from '@/lib/contract/errors';
import type { OperationKind } from '@/lib/contract/operations';
import { type KeptPreview, keptPreviewSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import type { Actor } from '../note';
import { list, text } from '../reply';
import { evalScript } from '../script';

export const PREVIEW_KEPT_MS = 15 * 60_000;
export const PREVIEWS_OF_ONE_MAX = 100;

const TOKEN = /^[0-9a-f]{40}$/;

/** The token under which it can be confirmed. */
export async function keepPreview(ctx: BrokerContext, preview: KeptPreview, by: Actor): Promise<string> {
  const token = randomBytes(20).toString('hex');
  if (by.holder) await leaveRoom(ctx, by.holder.id, token);
  await ctx.plain((redis) =>
    evalScript(
      redis,
      'preview-save',
      [ctx.keys.preview(token)],
      ['', JSON.stringify(preview), PREVIEW_KEPT_MS],
      false,
    ),
  );
  return token;
}

/** A user's newest are kept: one who only looks, again and again, must not fill Redis. */
async function leaveRoom(ctx: BrokerContext, user: string, token: string): Promise<void> {
  const reply = await ctx.run('preview-list', 'none', [user.slice(0, 300), token, PREVIEWS_OF_ONE_MAX]);
  const gone = list(reply, 'preview-list').map((one) => ctx.keys.preview(text(one)));
  // What stays for want of a reply runs out by itself.
  await Promise.allSettled(gone.map((key) => ctx.plain((redis) => redis.del(key))));
}

/** Looks at a kept preview, without using it up. @throws RedriveError PREVIEW_STALE */
export const readPreview = async (ctx: BrokerContext, token: string): Promise<KeptPreview> =>
  (await take(ctx, token, '')).preview;

/** What it is a preview of. @throws RedriveError PREVIEW_STALE */
export const previewKind = async (ctx: BrokerContext, token: string): Promise<OperationKind> =>
  (await readPreview(ctx, token)).request.kind;

/**
 * Uses it up for one operation. The same operation may take it again: that is the same request, sent again.
 * @throws RedriveError PREVIEW_STALE when it ran out or another operation had it
 */
export async function takePreview(ctx: BrokerContext, token: string, operation: string): Promise<void> {
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
): Promise<{ used: string; preview: KeptPreview }> {
  const reply = TOKEN.test(token)
    ? await ctx.plain((redis) =>
        evalScript(redis, 'preview-take', [ctx.keys.preview(token)], ['', operation], false),
      )
    : null;
  if (reply !== null) {
    const [used, kept] = list(reply, 'preview-take');
    const parsed = keptPreviewSchema.safeParse(jsonOf(text(kept)));
    if (parsed.success) return { used: text(used), preview: parsed.data };
  }
  throw new RedriveError(
    'PREVIEW_STALE',
    `There is no such preview: it is kept for ${PREVIEW_KEPT_MS / 60_000} minutes. Look at a new one, then confirm that.`,
    { fields: [{ field: 'previewToken', message: 'names no preview that is kept' }] },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
