import { Block, type BlockContent } from './block.ts';

/** Thrown where blocks that should become one do not hang together: the rule then does not apply. */
export class LooseBlocks extends Error {
  constructor() {
    super('the blocks do not hang together');
  }
}

/**
 * Puts blocks together into a new one that takes their place in the tree: what follows any of them follows it, and it
 * follows what the earliest of them followed.
 */
export function compose<Data>(content: BlockContent<Data>, blocks: readonly Block[]): Block & { data: Data } {
  const members = new Set(blocks);
  const earliest = earliestOf(members);
  const whole = new Block(content);
  for (const member of members) {
    member.parent = whole;
    whole.nodes.push(...member.nodes);
    whole.children.push(member);
    if (member.nodes.some(({ ghost }) => ghost)) whole.ghost = true;
  }
  for (const follower of followersOf(earliest, members)) {
    whole.next.push(follower);
    for (const account of follower.deployed) whole.deployed.add(account);
    follower.previous = whole;
  }
  whole.previous = earliest.previous;
  if (earliest.previous) tidyNext(earliest.previous);
  whole.initiating = earliest.initiating;
  whole.measure();
  return whole as Block & { data: Data };
}

/** The member that all others hang on. */
function earliestOf(members: ReadonlySet<Block>): Block {
  const sorted = [...members].sort((a, b) => Number(a.orderLt - b.orderLt) || rank(a) - rank(b));
  const [earliest] = sorted;
  if (!earliest) throw new LooseBlocks();
  const connected = new Set([earliest]);
  for (const block of sorted) {
    if (connected.has(block) || !block.previous) continue;
    if (!connected.has(block.previous)) throw new LooseBlocks();
    connected.add(block);
  }
  return earliest;
}

/** Of blocks at the same lt those of one incoming message come first, then those of a sent one, then those of several. */
function rank(block: Block): number {
  if (block.nodes.length !== 1) return 2;
  const [node] = block.nodes;
  return node!.message && node!.message.destination === null ? 1 : 0;
}

/** The first blocks that are not members on every way down from a member. */
function* followersOf(earliest: Block, members: ReadonlySet<Block>): Generator<Block> {
  const queue = [...earliest.next];
  for (let at = 0; at < queue.length; at++) {
    const block = queue[at]!;
    if (members.has(block)) queue.push(...block.next);
    else yield block;
  }
}

/** Lets a block be followed by what its followers have become. */
function tidyNext(block: Block): void {
  const next = new Set<Block>();
  const children = new Set(block.children);
  for (const follower of block.next) {
    if (follower !== block && !children.has(follower)) next.add(follower.topmost());
  }
  block.next = [...next];
}

/** Puts an empty block between a block and some that follow it, so that these have one of their own to hang on. */
export function insertBetween(before: Block, followers: readonly Block[]): Block {
  const proxy = new Block({ type: 'empty', data: undefined, describe: () => ({}) });
  const moved = new Set(followers);
  if (followers.some((one) => !before.next.includes(one))) throw new LooseBlocks();
  for (const child of before.children) {
    if (!child.next.some((one) => moved.has(one))) continue;
    child.next = [...child.next.filter((one) => !moved.has(one)), proxy];
  }
  before.next = before.next.filter((one) => !moved.has(one));
  for (const follower of followers) {
    for (const child of follower.children) if (child.previous === follower) child.previous = proxy;
  }
  before.connect(proxy);
  for (const follower of followers) proxy.connect(follower);
  return proxy;
}
