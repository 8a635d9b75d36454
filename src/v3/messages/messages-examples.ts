import type { OperationExample } from '../../http/operation.ts';

const SENDER = '0:2CF55953E92EFBEADAB7BA725C3F93A0B23F842CBBA72D7B8E6F510A70E422E3';
const HASH = 'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=';
const TRANSACTION = 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=';

/** Calls of the operation `messages`. */
export const MESSAGE_EXAMPLES: readonly OperationExample<never>[] = [
  {
    title: 'The newest message to outside of an account',
    params: { source: SENDER, destination: 'null', limit: 1 },
    varies: true,
    result: {
      messages: [
        {
          hash: HASH,
          source: SENDER,
          destination: null,
          value: null,
          value_extra_currencies: null,
          fwd_fee: null,
          ihr_fee: null,
          extra_flags: null,
          created_lt: '46000000000003',
          created_at: '1730000000',
          opcode: '0x9c610de3',
          decoded_opcode: null,
          ihr_disabled: null,
          bounce: null,
          bounced: null,
          import_fee: null,
          out_msg_tx_hash: TRANSACTION,
          message_content: { hash: HASH, body: 'te6cckEBAQEABgAACJxhDeO5fXX5', decoded: null },
          init_state: null,
        },
      ],
      address_book: {
        [SENDER]: {
          user_friendly: 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wZJ',
          domain: null,
          interfaces: [],
        },
      },
      metadata: {},
    },
  },
  {
    title: 'No direction',
    params: { direction: 'both' },
    failure: { code: 422, text: 'direction should be one of: in, out' },
  },
  {
    title: 'No hash',
    params: { msg_hash: ['zz'] },
    failure: {
      code: 422,
      text: 'failed to decode: schema: error converting value for index 0 of "msg_hash"',
    },
  },
];
