// A chain in a process of its own, to be killed: it prints each block that others can see, and what goes wrong.
import { openPlainChain } from './plain-chain.ts';

const localnet = await openPlainChain({
  folder: process.argv[2]!,
  settings: { blockMs: 0 },
  checkpointEvery: 10,
});
const show = (): boolean => {
  const { seqno, rootHash } = localnet.store.head;
  return process.stdout.write(`block ${seqno} ${rootHash.toString('hex')}\n`);
};
show();
localnet.store.onHead(show);
localnet.start();
setInterval(() => {
  const { fault } = localnet.status();
  if (fault !== undefined) process.stdout.write(`fault ${fault}\n`);
}, 20);
