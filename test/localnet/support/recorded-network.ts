import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { openRecording } from '../../../src/localnet/store/recording.ts';
import { perProcess } from '../../support/per-process.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';

/** The folder of the recorded network. */
export const RECORDING = fileURLToPath(RECORDED_NETWORK);

/** The recorded network as a chain, which must not be changed. */
export function sharedRecording(): ChainStore {
  return perProcess('recording', () => openRecording(RECORDING));
}

/** A query to the recorded node and its response, as bytes. */
export interface RecordedQuery {
  readonly name: string;
  readonly request: Buffer;
  readonly answer: Buffer;
}

interface RecordedFile {
  readonly request: { readonly tl_hex: string };
  readonly response?: { readonly tl_hex: string };
  readonly tl_hex?: string;
}

/** All recorded queries of a folder. */
export function recordedQueries(folder: 'lite' | 'accounts'): RecordedQuery[] {
  if (missingNetwork !== '') return [];
  return readdirSync(new URL(`${folder}/`, RECORDED_NETWORK))
    .sort()
    .map((file) => {
      const recorded: RecordedFile = JSON.parse(
        readFileSync(new URL(`${folder}/${file}`, RECORDED_NETWORK), 'utf8'),
      );
      return {
        name: file.replace('.json', ''),
        request: Buffer.from(recorded.request.tl_hex, 'hex'),
        answer: Buffer.from(recorded.response?.tl_hex ?? recorded.tl_hex!, 'hex'),
      };
    });
}
