import type { Query } from '../query.ts';

/** The version and capabilities of the server. */
export const getVersion: Query<'getVersion'> = ({ version, now }) => ({ mode: 0, ...version, now: now() });
