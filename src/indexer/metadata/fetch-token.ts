import type { Log } from '../../lib/log.ts';
import { linkOf } from './chain-metadata.ts';
import { type DocumentSource, documentSource } from './document-source.ts';
import { type FetchSurroundings, fetchDocument } from './fetch-document.ts';
import { MetadataFault } from './metadata-fault.ts';
import type { DueToken } from './metadata-queue.ts';
import type { MetadataSettings } from './metadata-settings.ts';
import { readDocument } from './read-document.ts';
import { type TokenFields, tokenFields } from './token-fields.ts';

/** Where more about a token is, or why nobody is asked. */
export type TokenSource = DocumentSource | MetadataFault;

/** What fetching a token came to. */
export type FetchedToken = TokenFields | MetadataFault;

/** Reads where more about a token is. */
export function sourceOfToken({ content = {} }: DueToken, settings: MetadataSettings): TokenSource {
  try {
    return documentSource(linkOf(content) ?? '', settings);
  } catch (error) {
    if (error instanceof MetadataFault) return error;
    throw error;
  }
}

/** Fetches what there is about a token and joins it with what the chain says; throws only the signal's reason. */
export async function fetchToken(
  { content = {} }: DueToken,
  source: TokenSource,
  options: FetchSurroundings & { readonly settings: MetadataSettings; readonly log: Log },
  signal: AbortSignal,
): Promise<FetchedToken> {
  if (source instanceof MetadataFault) return source;
  try {
    const body = 'body' in source ? source.body : await fetchDocument(source, options, signal);
    return tokenFields(content, readDocument(body), options.settings);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MetadataFault) return error;
    // Whatever strangers found to send: one document must not end the work on all others.
    options.log.warn({ err: error }, 'Metadata of a token cannot be read');
    return new MetadataFault('failed', 'cannot be read');
  }
}
