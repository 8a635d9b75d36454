import { PlainText } from '../../http/serializer.ts';

/** Bytes in base64. */
export const Base64 = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });
