import Type from 'typebox';
import type { UsageCounts } from '../access/stored-usage.ts';
import { dayOf } from '../access/usage.ts';
import type { Database } from '../db/connection.ts';
import { day } from '../http/rest-routes.ts';
import { Failure } from '../lib/errors.ts';

export interface UsagePorts {
  readonly database: Pick<Database, 'read' | 'write'>;
  /** Writes what this process has counted and not stored yet; rejects if it cannot. */
  readonly flushUsage: () => Promise<void>;
  /** Unix milliseconds. */
  readonly clock?: () => number;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

export const rangeParameters = {
  from: day(`First day (UTC), such as \`2026-03-01\`; ${DEFAULT_DAYS} days up to \`to\` if left out.`),
  to: day('Last day (UTC); today if left out.'),
};

export function readRange(
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  now: number,
): { readonly from: string; readonly to: string } {
  const last = to ?? dayOf(now);
  const lastMs = Date.parse(last);
  const first = from ?? dayOf(lastMs - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (lastMs - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw new Failure('invalid', `from (${first}) should not be after to (${last})`);
  if (days > MAX_DAYS)
    throw new Failure('invalid', `from and to should be at most ${MAX_DAYS} days apart, not ${days}`);
  return { from: first, to: last };
}

export const countMembers = {
  requests: Type.Integer({ description: 'All calls.' }),
  limited: Type.Integer({ description: 'Of these, calls above the rate (429).' }),
  rejected: Type.Integer({ description: 'Of these, other calls that were wrong (4xx).' }),
  failed: Type.Integer({ description: 'Of these, calls that failed here (5xx).' }),
};

export function countsJson({ requests, limited, rejected, failed }: UsageCounts) {
  return { requests, limited, rejected, failed };
}
