import { LiteServerError } from './errors.ts';
import type { PooledServer } from './pooled-server.ts';

/** Takes up to `count` of the servers by chance. */
export function takeSome<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

/**
 * Asks several servers the same at once and gives the first answer. The others go on: what was sent should spread. When
 * all fail, the last refusal is thrown, since a server that read the request knows more than one that could not.
 */
export async function broadcast(
  servers: readonly PooledServer[],
  request: Uint8Array,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Buffer> {
  let refusal: LiteServerError | undefined;
  let last: unknown;
  const asked = servers.map((server) =>
    server.ask(request, options).catch((error: unknown) => {
      last = error;
      if (error instanceof LiteServerError) refusal = error;
      throw error;
    }),
  );
  return Promise.any(asked).catch(() => {
    throw refusal ?? last;
  });
}
