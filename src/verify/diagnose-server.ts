import { checkNetwork, isMissing, lookUp } from './chain-reader.ts';
import type { BlockId } from './core-readers.ts';
import { connectLiteClient, type LiteClient, LiteFault, type LiteServerAddress } from './lite-client.ts';

/** What was found out about one server; members are set one after another, up to the fault if there is one. */
export interface ServerDiagnosis {
  readonly index: number;
  readonly name: string;
  /** How long a small query took. */
  pingMs?: number;
  /** Its clock, in unix seconds, minus ours. */
  clockSeconds?: number;
  /** Newest masterchain block, unproven. */
  seqno?: number;

  oldestSeqno?: number;
  fault?: { readonly at: LiteFault['at']; readonly text: string };
}

interface DiagnoseOptions {
  readonly zeroState: BlockId;
  /** For the connection, and for each query. */
  readonly timeoutMs: number;
}

/** Connects to a server, sends the queries of a pool, and disconnects; what is wrong is in the result. */
export async function diagnoseServer(
  address: LiteServerAddress,
  { zeroState, timeoutMs }: DiagnoseOptions,
): Promise<ServerDiagnosis> {
  const { index, host, port } = address;
  const diagnosis: ServerDiagnosis = { index, name: `${host}:${port}` };
  let client: LiteClient | undefined;
  try {
    client = await connectLiteClient(address, timeoutMs);
    await runQueries(diagnosis, client, zeroState);
  } catch (error) {
    // A connection that breaks later is a response that did not come.
    const at =
      error instanceof LiteFault && (client === undefined || error.at === 'network') ? error.at : 'answer';
    diagnosis.fault = { at, text: (error as Error).message };
  } finally {
    await client?.close();
  }
  return diagnosis;
}

async function runQueries(diagnosis: ServerDiagnosis, client: LiteClient, zeroState: BlockId): Promise<void> {
  const sentMs = Date.now();
  const { now } = await client.query('liteServer_getTime', {});
  diagnosis.pingMs = Date.now() - sentMs;
  diagnosis.clockSeconds = now - Math.floor((sentMs + diagnosis.pingMs / 2) / 1000);
  const { init, last } = await client.query('liteServer_getMasterchainInfo', {});
  checkNetwork(init, zeroState);
  diagnosis.seqno = last.seqno;
  diagnosis.oldestSeqno = await findOldestSeqno(last.seqno, (seqno) => hasBlock(client, seqno));
}

/** Blocks from which on a server counts as one with the whole history: some lack the very first. */
const FIRST_SEQNOS = [1, 3];
/** The end of an archive is found to within this fraction of its depth. */
const PRECISION = 64;

/** The oldest block that a server has, about. */
async function findOldestSeqno(newest: number, has: (seqno: number) => Promise<boolean>): Promise<number> {
  let absent = 0;
  for (const seqno of FIRST_SEQNOS) {
    if (seqno >= newest || (await has(seqno))) return Math.min(seqno, newest);
    absent = seqno;
  }
  let present = newest;
  while (present - absent > 1 + (newest - present) / PRECISION) {
    const middle = Math.floor((absent + present) / 2);
    if (await has(middle)) present = middle;
    else absent = middle;
  }
  return present;
}

async function hasBlock(client: LiteClient, seqno: number): Promise<boolean> {
  try {
    return (await lookUp(client.query, seqno)).seqno === seqno;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
