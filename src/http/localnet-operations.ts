import Type from 'typebox';
import { defineOperation, type Operation, type Parameter } from './operation.ts';
import { wrongParameter } from './rest-parameters.ts';

/** Commands to the local chain; results go out as JSON. */
export interface LocalnetControl {
  status(): unknown;
  /** `amount` is in TON. */
  fund(address: string, amount: string): Promise<unknown>;
  advance(seconds: number): Promise<unknown>;
  snapshot(name: string): Promise<unknown>;
  restore(name: string): Promise<unknown>;
  mine(count: number): Promise<unknown>;
  /** Changes the validator set. */
  rotate(): Promise<unknown>;
}

const position = {
  seqno: Type.Integer({ description: 'Seqno of the newest masterchain block.' }),
  root_hash: Type.String({ description: 'Its root hash in hex.' }),
};
const POSITION = { seqno: 42, root_hash: 'c1'.repeat(32) };

const status = defineOperation({
  name: 'status',
  methods: ['GET'],
  tag: 'localnet',
  summary: 'Get the state of the chain',
  description: 'The newest block, the clock, shards, snapshots, the lite server and the faucet.',
  parameters: {},
  result: Type.Object({
    ...position,
    block_time: Type.Integer({ description: 'Unix time of that block.' }),
    time: Type.Integer({ description: 'Clock of the chain, unix seconds.' }),
    offset_seconds: Type.Integer({ description: 'How far that clock is ahead of the machine.' }),
    shards: Type.Integer({ description: 'Shards of the basechain.' }),
    mine: Type.String({ description: 'When blocks are made: `interval` or `message`.' }),
    block_ms: Type.Integer({ description: 'Time between blocks.' }),
    waiting_messages: Type.Integer({ description: 'Messages that are not in a block yet.' }),
    snapshots: Type.Array(Type.String()),
    fault: Type.Optional(Type.String({ description: 'Why no more blocks are made.' })),
    lite_server: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      public_key: Type.String({ description: 'Base64.' }),
      config: Type.String({ description: 'Path of the global config for lite clients.' }),
    }),
    faucet: Type.Object({
      address: Type.String(),
      mnemonic: Type.String({ description: 'Public: never send anything of value to this wallet.' }),
    }),
  }),
  cache: 'none',
  examples: [
    {
      title: 'A chain',
      params: {},
      varies: true,
      result: {
        seqno: 42,
        time: 1755516054,
        shards: 1,
        mine: 'interval',
        snapshots: [],
        root_hash: POSITION.root_hash,
        block_time: 1755516053,
        offset_seconds: 0,
        block_ms: 1000,
        waiting_messages: 0,
        lite_server: {
          host: '127.0.0.1',
          port: 43873,
          public_key: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
          config: 'data/localnet/global.config.json',
        },
        faucet: {
          address: '0QCaU808DpGpNExdWfXxJ30O81GT13O9VQHTkWuk1xrQh94l',
          mnemonic: 'debate loan output since marble move plate shop profit face whale danger …',
        },
      },
    },
  ],
  handler: (_params, control: LocalnetControl) => control.status() as never,
});

const fund = defineOperation({
  name: 'fund',
  methods: ['POST'],
  tag: 'localnet',
  summary: 'Send TON from the faucet',
  description: 'Responds when the money has arrived.',
  parameters: {
    address: requiredText('An account address in any form.', 'an account address'),
    amount: amount(),
  },
  result: Type.Object({
    address: Type.String({ description: 'Raw form.' }),
    amount: Type.String({ description: 'TON.' }),
    ...position,
  }),
  errors: [{ code: 409, when: 'The faucet does not have that much' }],
  cache: 'none',
  examples: [
    {
      title: 'A wallet of the demo',
      params: { address: '{bob}', amount: '12.5' },
      varies: true,
      result: { address: `0:${'b'.repeat(64)}`, amount: '12.5', ...POSITION },
    },
  ],
  handler: ({ address, amount }, control: LocalnetControl) => control.fund(address, amount) as never,
});

const advance = defineOperation({
  name: 'advance',
  methods: ['POST'],
  tag: 'localnet',
  summary: "Move the chain's clock forward",
  description:
    'Messages that are valid until an earlier time are not accepted any more: wallets must compute that time from the clock of the chain.',
  parameters: { seconds: wholeNumber('Seconds, 1 or more.', 'a whole number of seconds, 1 or more') },
  result: Type.Object({
    time: Type.Integer({ description: 'Clock of the chain, unix seconds.' }),
    offset_seconds: Type.Integer({ description: 'How far that clock is ahead of the machine.' }),
    hint: Type.String({ description: 'How wallets work on a chain whose clock is ahead.' }),
    ...position,
  }),
  cache: 'none',
  examples: [
    {
      title: 'One minute',
      params: { seconds: 60 },
      varies: true,
      result: {
        time: 1755516114,
        offset_seconds: 60,
        hint: "The chain's clock is 60 s ahead of this machine's: compute valid_until from the chain's time",
        ...POSITION,
      },
    },
  ],
  handler: ({ seconds }, control: LocalnetControl) => control.advance(seconds) as never,
});

const mine = defineOperation({
  name: 'mine',
  methods: ['POST'],
  tag: 'localnet',
  summary: 'Make blocks at once',
  description:
    'They are made at once, whatever the block interval; queued messages go into the first of them.',
  parameters: { count: wholeNumber('Masterchain blocks to make.', 'a whole number, 1 or more', 1) },
  result: Type.Object(position),
  cache: 'none',
  examples: [{ title: 'Two blocks', params: { count: 2 }, varies: true, result: POSITION }],
  handler: ({ count }, control: LocalnetControl) => control.mine(count) as never,
});

const rotate = defineOperation({
  name: 'rotate',
  methods: ['POST'],
  tag: 'localnet',
  summary: 'Put a new validator in the place of the present one',
  description: 'The new validator set is active from a key block on.',
  parameters: {},
  result: Type.Object({
    validator_set: Type.Integer({ description: 'Number of the set.' }),
    ...position,
  }),
  errors: [{ code: 409, when: 'The validator of the chain is not one of its own' }],
  cache: 'none',
  examples: [{ title: 'A new set', params: {}, varies: true, result: { validator_set: 1, ...POSITION } }],
  handler: (_params, control: LocalnetControl) => control.rotate() as never,
});

const snapshotResult = Type.Object({ name: Type.String(), ...position });
const snapshotParameters = {
  name: requiredText('Name of the snapshot: letters, digits, `.`, `_` and `-`.', 'the name of a snapshot'),
};
const SNAPSHOT = {
  title: 'A snapshot',
  params: { name: 'before-test' },
  varies: true,
  result: { name: 'before-test', ...POSITION },
} as const;

const snapshot = defineOperation({
  name: 'snapshot',
  methods: ['POST'],
  tag: 'localnet',
  summary: 'Keep the chain as it is now',
  description: 'A snapshot of the same name is replaced.',
  parameters: snapshotParameters,
  result: snapshotResult,
  cache: 'none',
  examples: [SNAPSHOT],
  handler: ({ name }, control: LocalnetControl) => control.snapshot(name) as never,
});

const restore = defineOperation({
  name: 'restore',
  methods: ['POST'],
  tag: 'localnet',
  summary: 'Put the chain back to a snapshot',
  description:
    'The response comes when v2 and v3 of this process agree with the restored chain, or says why v3 does not.',
  parameters: snapshotParameters,
  result: Type.Object({
    name: Type.String(),
    ...position,
    index: Type.Optional(
      Type.Object(
        {
          agrees: Type.Boolean({
            description:
              'Whether the newest indexed block is one of the chain, and not before the restored one.',
          }),
          seqno: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The newest indexed masterchain block; null while nothing is indexed.',
          }),
          reason: Type.Optional(Type.String({ description: 'Why it does not agree.' })),
        },
        { description: 'The index; left out where there is none.' },
      ),
    ),
  }),
  errors: [{ code: 404, when: 'There is no snapshot of that name' }],
  cache: 'none',
  examples: [{ ...SNAPSHOT, result: { ...SNAPSHOT.result, index: { agrees: true, seqno: 42 } } }],
  handler: ({ name }, control: LocalnetControl) => control.restore(name) as never,
});

/** All commands, in the order of the docs page. */
export const localnetOperations: readonly Operation<LocalnetControl>[] = [
  status,
  fund,
  advance,
  mine,
  rotate,
  snapshot,
  restore,
];

function requiredText(description: string, form: string): Parameter<string> {
  return {
    schema: Type.String(),
    description,
    required: true,
    read: ({ name, values: [value] }) => {
      if (typeof value !== 'string' || value === '') throw wrongParameter(name, form, value);
      return value;
    },
  };
}

/** A number is fine where it is exact; other amounts come as text. */
function amount(): Parameter<string> {
  return {
    schema: Type.Union([Type.String(), Type.Number()]),
    description: 'TON, with up to 9 digits after the point.',
    required: true,
    read: ({ name, values: [value] }) => {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw wrongParameter(name, 'a number of TON such as "12.5"', value);
      return String(value);
    },
  };
}

function wholeNumber(description: string, form: string, fallback?: number): Parameter<number> {
  return {
    schema: Type.Integer({ minimum: 1, ...(fallback !== undefined && { default: fallback }) }),
    description,
    required: fallback === undefined,
    read: ({ name, values: [value = fallback] }) => {
      if (!Number.isSafeInteger(value) || Number(value) < 1) throw wrongParameter(name, form, value);
      return Number(value);
    },
  };
}
