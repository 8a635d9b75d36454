import { onTestFinished } from 'vitest';
import {
  type ConnectionOptions,
  createConnection,
  type LiteConnection,
} from '../../../src/lite/connection.ts';
import { type LiteServerOptions, startLiteServer } from '../../support/lite-server.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

/** A connection of a test, with what it has told so far. */
export interface TestConnection {
  readonly connection: LiteConnection;
  readonly log: ReturnType<typeof createQuietLog>;
  /** Reasons of all ends. */
  readonly downs: readonly string[];
  /** How often it has become ready. */
  readonly readies: number;
  /** Waits until it is ready, also when it is so already. */
  untilReady(): Promise<void>;
}

/** A server that lives as long as the test. */
export async function testServer(
  answer: LiteServerOptions['answer'] = echo,
  options: Partial<LiteServerOptions> = {},
): ReturnType<typeof startLiteServer> {
  const server = await startLiteServer({ answer, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** Opens a connection that lives as long as the test and is quick to come back. */
export function testConnection(
  server: Pick<ConnectionOptions, 'host' | 'port' | 'publicKey'>,
  options: Partial<ConnectionOptions> = {},
): TestConnection {
  const log = createQuietLog();
  const downs: string[] = [];
  let readies = 0;
  const connection = createConnection({
    host: server.host,
    port: server.port,
    publicKey: server.publicKey,
    log,
    reconnectFirstMs: 10,
    reconnectMaxMs: 40,
    ...options,
    onReady() {
      readies += 1;
      options.onReady?.();
    },
    onDown(reason) {
      downs.push(reason);
      options.onDown?.(reason);
    },
  });
  onTestFinished(() => connection.close());
  return {
    connection,
    log,
    downs,
    get readies() {
      return readies;
    },
    untilReady: () => until(() => connection.ready),
  };
}

/** Waits for something to become true. The limit of the test is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** The response of a server that knows nothing: the request behind four bytes. */
export function echo(request: Buffer): Buffer {
  return Buffer.concat([Buffer.from('echo'), request]);
}
