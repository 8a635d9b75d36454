import { Agent, request } from 'node:http';

/** A request. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A client with an API key that keeps its connections. */
export interface Client {
  /** The whole answer; rejects without one. */
  readonly ask: (call: Call, leaveAfterMs?: number) => Promise<Answer>;
  readonly close: () => void;
}

interface ClientOptions {
  readonly url: string;
  readonly apiKey: string;
  /** A client that waits longer has given up. */
  readonly timeoutMs: number;
}

export function createClient({ url, apiKey, timeoutMs }: ClientOptions): Client {
  const { hostname: host, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return {
    ask: ({ method, path, body }, leaveAfterMs) =>
      new Promise((resolve, reject) => {
        const headers = {
          'x-api-key': apiKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        };
        const sent = request({ host, port, method, path, headers, agent, timeout: timeoutMs }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode!, text }));
        });
        sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
        sent.on('error', reject);
        if (leaveAfterMs !== undefined) setTimeout(() => sent.destroy(), leaveAfterMs);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
