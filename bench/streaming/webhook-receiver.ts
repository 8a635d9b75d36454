import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnEvent } from './clients.ts';

/** The HTTP server of somebody who watches deposits. */
export interface WebhookReceiver {
  readonly url: string;
  readonly close: () => void;
}

const EVENT_ID = /^\d+-(blocks|traces)-(\d+)-/;

/** Starts a receiver that accepts every event at once. */
export async function openWebhookReceiver(onEvent: OnEvent): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const id = EVENT_ID.exec(String(request.headers['x-tongate-event-id']));
    if (id !== null) onEvent(id[1] as 'blocks' | 'traces', Number(id[2]));
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
