import { bytesArgument } from '../stack/slice-arguments.ts';
import { intEntry } from '../stack/stack-entry.ts';
import type { MethodAnswer } from './method-answer.ts';
import { refuse } from './not-that.ts';
import type { Probe } from './probe.ts';

/** The name of a domain itself, as seen from the contract that is it. */
const ITSELF = bytesArgument(Buffer.alloc(1));
const ALL_RECORDS = intEntry(0);

/** Asks a domain for all its own records: how many bits of the name it resolved, and a dictionary or null. */
export async function askOwnRecords(probe: Probe): Promise<MethodAnswer> {
  const answer = await probe.run('dnsresolve', [ITSELF, ALL_RECORDS]);
  return answer.size === 2 ? answer : refuse(`${answer.size} results`);
}
