import { findOldestSeqno, hasBlock } from './archive-depth.ts';
import { createConnection, type LiteConnection } from './connection.ts';
import { assertSameNetwork } from './follow-head.ts';
import type { GlobalConfig, LiteServerAddress } from './global-config.ts';
import { getMasterchainInfo, getTime } from './methods/masterchain.ts';
import type { QueryServer } from './methods/query.ts';

/** What was found out about one server; members are set one after another, up to the fault if there is one. */
export interface ServerDiagnosis {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** How long a small query took. */
  pingMs?: number;
  /** Its clock, in unix seconds, minus ours. */
  clockSeconds?: number;
  /** Newest masterchain block, unproven. */
  seqno?: number;

  oldestSeqno?: number;
  fault?: { readonly at: 'connection' | 'network' | 'answer'; readonly text: string };
}

interface DiagnoseOptions {
  readonly config: Pick<GlobalConfig, 'zeroState'>;
  /** For the connection, and for each query. */
  readonly timeoutMs: number;
}

/** Connects to a server, sends the queries of a pool, and disconnects; what is wrong is in the result. */
export async function diagnoseServer(
  { index, host, port, publicKey }: LiteServerAddress,
  { config, timeoutMs }: DiagnoseOptions,
): Promise<ServerDiagnosis> {
  const diagnosis: ServerDiagnosis = { index, name: `${host}:${port}` };
  const { connection, fault } = await dial({ host, port, publicKey }, timeoutMs);
  try {
    if (fault !== undefined) diagnosis.fault = { at: 'connection', text: fault };
    else await runQueries(diagnosis, (request) => connection!.query(request, { timeoutMs }), config);
  } catch (error) {
    diagnosis.fault = { at: 'answer', text: (error as Error).message };
  } finally {
    connection?.close();
  }
  return diagnosis;
}

async function runQueries(
  diagnosis: ServerDiagnosis,
  query: QueryServer,
  { zeroState }: Pick<GlobalConfig, 'zeroState'>,
): Promise<void> {
  const sentMs = Date.now();
  const time = await getTime(query);
  diagnosis.pingMs = Date.now() - sentMs;
  diagnosis.clockSeconds = time - Math.floor((sentMs + diagnosis.pingMs / 2) / 1000);
  const { init, last } = await getMasterchainInfo(query);
  try {
    assertSameNetwork(init, zeroState);
  } catch (error) {
    diagnosis.fault = { at: 'network', text: (error as Error).message };
    return;
  }
  diagnosis.seqno = last.seqno;
  diagnosis.oldestSeqno = await findOldestSeqno(last.seqno, (seqno) => hasBlock(query, seqno));
}

/** A connection that is ready, or why there is none. */
function dial(
  address: Pick<LiteServerAddress, 'host' | 'port' | 'publicKey'>,
  connectTimeoutMs: number,
): Promise<{ connection?: LiteConnection; fault?: string }> {
  return new Promise((resolve) => {
    const giveUp = (fault: string): void => {
      connection?.close();
      resolve({ fault });
    };
    let connection: LiteConnection | undefined;
    try {
      connection = createConnection({
        ...address,
        connectTimeoutMs,
        onReady: () => resolve({ connection: connection! }),
        onDown: giveUp,
      });
    } catch (error) {
      giveUp((error as Error).message);
    }
  });
}
