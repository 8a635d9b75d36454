import type { ServerExam } from '../lite/examine-server.ts';

/** A server that is further behind is not asked. */
const LIVE_BLOCKS = 3;
/** Servers tell whole seconds, so a difference of one says nothing. */
const CLOCK_SECONDS = 5;

/** Whether a server is too far behind the newest of its group. */
export function isBehind({ seqno }: ServerExam, newest: number): boolean {
  return seqno !== undefined && newest - seqno > LIVE_BLOCKS;
}

/** What can be done about a server that is not as it should be. */
export function cureOf(exam: ServerExam, newest: number, network: string): string | undefined {
  const { fault, clockSeconds = 0 } = exam;
  if (fault?.at === 'connection') return cureOfConnection(fault.text);
  if (fault?.at === 'network')
    return `A server is of another network: does the config belong to ${network}? See NETWORK and TON_CONFIG.`;
  if (fault !== undefined) return 'A server does not answer as it should; it is left out until it does.';
  if (isBehind(exam, newest))
    return 'A server is behind the others and is not asked until it has caught up; that is its own affair.';
  // The clock of a local chain can be moved.
  if (network !== 'localnet' && Math.abs(clockSeconds) > CLOCK_SECONDS)
    return 'A clock differs: when it is so for all servers, the clock of this machine is wrong; let NTP set it.';
  return undefined;
}

function cureOfConnection(reason: string): string {
  if (reason.includes('ECONNREFUSED'))
    return 'Nobody listens at an address: the server is down, or the config is old. A new one is fetched at every start.';
  if (reason.includes('in time') || reason.includes('ETIMEDOUT'))
    return 'An address does not answer: the server is down, or a firewall stops TCP connections to its port from here.';
  if (reason.includes('ENETUNREACH') || reason.includes('EHOSTUNREACH'))
    return 'There is no way to an address: look at the network of this machine.';
  if (reason.includes('closed by the server') || reason.includes('ECONNRESET'))
    return 'A server hangs up on us: its key is another one than the config says, or it has too many clients.';
  if (reason.startsWith('AdnlFault'))
    return 'What answers at an address is no lite server, or has another key than the config says.';
  return 'A server cannot be connected to; it is tried again and again while tongate runs.';
}
