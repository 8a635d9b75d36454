import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../shared/data/realnet/', import.meta.url);

/** Where the recorded network lies. */
export const RECORDING = fileURLToPath(FOLDER);

/** Added to the names of tests that are skipped because the recorded network is not there. */
export const missingRecording = existsSync(FOLDER)
  ? ''
  : ' (skipped: the recorded network is not beside this checkout)';

/** A query to the recorded node and its answer, as bytes. */
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

/** All queries that were recorded in a folder. */
export function recordedQueries(folder: 'lite' | 'accounts'): RecordedQuery[] {
  if (missingRecording !== '') return [];
  return readdirSync(new URL(`${folder}/`, FOLDER))
    .sort()
    .map((file) => {
      const recorded: RecordedFile = JSON.parse(readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8'));
      return {
        name: file.replace('.json', ''),
        request: Buffer.from(recorded.request.tl_hex, 'hex'),
        answer: Buffer.from(recorded.response?.tl_hex ?? recorded.tl_hex!, 'hex'),
      };
    });
}
