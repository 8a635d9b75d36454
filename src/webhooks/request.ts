import { createHmac, randomBytes } from 'node:crypto';
import {
  checkedLookup,
  checkUrl,
  type NameResolver,
  OutboundError,
  sendRequest,
  toOutboundError,
} from '../lib/outbound-http.ts';

export interface WebhookTransport {
  readonly names: NameResolver;
  /** Whether a webhook may be at an address. */
  readonly isPublic: (address: string) => boolean;
  /** Whether names of private hosts are looked up too, as the system does it. */
  readonly allowsPrivate: boolean;
  /** For a whole attempt. */
  readonly timeoutMs: number;
}

export interface WebhookRequest {
  readonly url: URL;
  readonly secret: Buffer;
  readonly webhookId: string;
  readonly eventId: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly body: string;
}

const CONNECT_MS = 5000;
const SECRET_BYTES = 32;

/** The outcome of an attempt: undefined if the event has arrived, otherwise what to tell the owner. */
export async function sendToWebhook(
  { url, secret, webhookId, eventId, attempt, body }: WebhookRequest,
  transport: WebhookTransport,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { names, isPublic, allowsPrivate, timeoutMs } = transport;
  const sent = Buffer.from(body);
  const timestamp = Math.floor(Date.now() / 1000);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    checkWebhookUrl(url, transport);
    const response = await sendRequest(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(sent.length),
        'user-agent': 'tongate',
        'x-tongate-webhook': webhookId,
        'x-tongate-event-id': eventId,
        'x-tongate-attempt': String(attempt),
        'x-tongate-signature': signatureOf(secret, timestamp, sent),
      },
      body: sent,
      ...(!allowsPrivate && { lookup: checkedLookup(names, isPublic) }),
      connectMs: CONNECT_MS,
      signal: AbortSignal.any([signal, timeout]),
    });
    // Nobody needs the body, and it may be endless.
    response.destroy();
    const { statusCode = 0 } = response;
    return statusCode >= 200 && statusCode < 300 ? undefined : `responded with status ${statusCode}`;
  } catch (error) {
    signal.throwIfAborted();
    return timeout.aborted ? `no response within ${timeoutMs / 1000} s` : toOutboundError(error).message;
  }
}

/**
 * The signature of a body: `t=<unix seconds>,v1=<hex>`. The hash covers the time, a dot and the body, so that a receiver can
 * refuse what was recorded earlier.
 */
export function signatureOf(secret: Buffer, timestamp: number, body: Uint8Array): string {
  const digest = createHmac('sha256', secretText(secret)).update(`${timestamp}.`).update(body).digest('hex');
  return `t=${timestamp},v1=${digest}`;
}

export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret as its owner sees it, once. The text itself is the key of the hash. */
export function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64url')}`;
}

/** Parses the URL of a webhook; throws an OutboundError for one that may not be called. */
export function parseWebhookUrl(
  text: string,
  transport: Pick<WebhookTransport, 'isPublic' | 'allowsPrivate'>,
): URL {
  if (!URL.canParse(text)) throw new OutboundError('refused', 'not a valid URL');
  const url = new URL(text);
  checkWebhookUrl(url, transport);
  return url;
}

function checkWebhookUrl(
  url: URL,
  { isPublic, allowsPrivate }: Pick<WebhookTransport, 'isPublic' | 'allowsPrivate'>,
): void {
  if (!allowsPrivate) checkUrl(url, isPublic);
  else if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('refused', 'unsupported link scheme');
}
