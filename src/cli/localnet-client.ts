import { readFileSync } from 'node:fs';
import { StartError } from '../lib/start-error.ts';
import { UsageError } from '../lib/usage-error.ts';
import { chainPaths } from '../localnet/chain/chain-paths.ts';
import { ownerOf } from '../localnet/chain/folder-lock.ts';

/** Speaks to a local chain that another process runs. */
export interface LocalnetClient {
  ask(command: string, body?: object): Promise<Record<string, unknown>>;
}

/** Finds the local chain of a folder that runs; undefined if none does. */
export function findRunningLocalnet(folder: string): LocalnetClient | undefined {
  const owner = ownerOf(folder);
  if (owner === undefined) return undefined;
  return {
    async ask(command, body) {
      const answer = await fetch(`${controlUrl(folder, owner)}/localnet/${command}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      }).catch((error: unknown) => {
        throw new StartError(`Process ${owner}, which runs the local chain, does not answer`, {
          cause: error,
        });
      });
      const { ok, result, error } = (await answer.json()) as Answer;
      if (ok) return result;
      throw answer.status < 500 ? new UsageError(`localnet ${command}: ${error}`) : new StartError(error);
    },
  };
}

type Answer =
  | { ok: true; result: Record<string, unknown>; error: never }
  | { ok: false; result: never; error: string };

function controlUrl(folder: string, owner: number): string {
  try {
    const { url, pid } = JSON.parse(readFileSync(chainPaths(folder).control, 'utf8'));
    if (pid === owner) return url;
  } catch {
    // Not there yet.
  }
  throw new StartError(`Process ${owner} is starting or stopping the local chain; try again in a moment`);
}
