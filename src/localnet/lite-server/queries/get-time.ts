import type { Query } from '../query.ts';

/** The server's clock. */
export const getTime: Query<'getTime'> = ({ now }) => ({ now: now() });
