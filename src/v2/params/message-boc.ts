import type { Parameter } from '../../http/operation.ts';
import { bytes } from './bytes.ts';

/** A whole message to be sent. */
export function messageBoc(): Parameter<Buffer> {
  return bytes({ description: 'Message from outside as a bag of cells in base64.', filled: true });
}
