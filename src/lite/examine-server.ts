import { createConnection, type LiteConnection } from './connection.ts';
import { assertSameNetwork, findOldestSeqno, hasBlock } from './follow-head.ts';
import type { GlobalConfig, LiteServerAddress } from './global-config.ts';
import type { Ask } from './methods/ask.ts';
import { getMasterchainInfo, getTime } from './methods/masterchain.ts';

/** What a look at one server has shown; the members come one after another, up to the fault if there is one. */
export interface ServerDiagnosis {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** How long it took to answer a small question. */
  pingMs?: number;
  /** Its clock, in unix seconds, minus ours. */
  clockSeconds?: number;
  /** Newest masterchain block, which nothing has proven. */
  seqno?: number;
  /** Oldest one. */
  oldestSeqno?: number;
  fault?: { readonly at: 'connection' | 'network' | 'answer'; readonly text: string };
}

interface ExamineOptions {
  readonly config: Pick<GlobalConfig, 'zeroState'>;
  /** For the connection, and for each answer. */
  readonly timeoutMs: number;
}

/** Connects to a server, asks what a pool would ask, and disconnects; what is wrong is in the result. */
export async function diagnoseServer(
  { index, host, port, publicKey }: LiteServerAddress,
  { config, timeoutMs }: ExamineOptions,
): Promise<ServerDiagnosis> {
  const exam: ServerDiagnosis = { index, name: `${host}:${port}` };
  const place = { host, port, publicKey };
  const { connection, fault } = await dial(place, timeoutMs);
  try {
    if (fault !== undefined) exam.fault = { at: 'connection', text: fault };
    else await ask(exam, (request) => connection!.query(request, { timeoutMs }), config);
  } catch (error) {
    exam.fault = { at: 'answer', text: (error as Error).message };
  } finally {
    connection?.close();
  }
  return exam;
}

async function ask(
  exam: ServerDiagnosis,
  query: Ask,
  { zeroState }: Pick<GlobalConfig, 'zeroState'>,
): Promise<void> {
  const askedMs = Date.now();
  const time = await getTime(query);
  exam.pingMs = Date.now() - askedMs;
  exam.clockSeconds = time - Math.floor((askedMs + exam.pingMs / 2) / 1000);
  const { init, last } = await getMasterchainInfo(query);
  try {
    assertSameNetwork(init, zeroState);
  } catch (error) {
    exam.fault = { at: 'network', text: (error as Error).message };
    return;
  }
  exam.seqno = last.seqno;
  exam.oldestSeqno = await findOldestSeqno(last.seqno, (seqno) => hasBlock(query, seqno));
}

/** A connection that is ready, or why there is none. */
function dial(
  place: Pick<LiteServerAddress, 'host' | 'port' | 'publicKey'>,
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
        ...place,
        connectTimeoutMs,
        onReady: () => resolve({ connection: connection! }),
        onDown: giveUp,
      });
    } catch (error) {
      giveUp((error as Error).message);
    }
  });
}
