import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** An image proxy that has the same image for every address. */
export interface ImageProxy {
  readonly url: string;
  /** Paths that were asked for, with the page that asked, if a browser tells. */
  readonly requests: { readonly path: string; readonly referer: string | undefined }[];
  readonly close: () => Promise<void>;
}

export async function startImageProxy(): Promise<ImageProxy> {
  const requests: { path: string; referer: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, referer: request.headers.referer });
    response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
