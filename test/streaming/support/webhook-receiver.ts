import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
export interface ReceivedEvent {
  readonly id: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly isAccepted: boolean;
}

/** What a receiver does with a request; by default it accepts it. */
type Behaviour = (
  event: { readonly id: string; readonly body: string },
  response: ServerResponse,
) => 'accept' | 'refuse' | 'hang';

/** An HTTP server that webhooks are sent to. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedEvent[];
  behave(behaviour: Behaviour): void;
  /** Those that were accepted, without repeats, in the order in which they were accepted first. */
  accepted(): ReceivedEvent[];
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  let behaviour: Behaviour = () => 'accept';
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const id = String(request.headers['x-tongate-event-id']);
      const body = Buffer.concat(chunks).toString();
      const outcome = behaviour({ id, body }, response);
      received.push({ id, body, headers: request.headers, isAccepted: outcome === 'accept' });
      if (outcome === 'hang') return;
      response.writeHead(outcome === 'accept' ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    behave(next) {
      behaviour = next;
    },
    accepted() {
      const seen = new Set<string>();
      return received.filter(({ id, isAccepted }) => isAccepted && !seen.has(id) && seen.add(id));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
