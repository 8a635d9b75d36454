/** A transfer of jettons with a comment, as the docs page shows it. */
export const EXAMPLE_BODY =
  'te6cckEBAgEAQQABZQ+KfqUAAAAAAAAABTA9CQgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AEBwEAEgAAAABoZWxsb5W5R1I=';

/** What it means. */
export const EXAMPLE_MEANING = {
  '@type': 'jetton_transfer',
  query_id: '5',
  amount: { '@type': 'var_uint', len: '3', value: '250000' },
  destination: {
    '@type': 'addr_std',
    anycast: { '@type': 'nothing_from_maybe' },
    workchain_id: '0',
    address: '83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  },
  response_destination: { '@type': 'addr_none' },
  custom_payload: { '@type': 'nothing_from_maybe' },
  forward_ton_amount: { '@type': 'var_uint', len: '1', value: '1' },
  forward_payload: { '@type': 'second_from_either', value: { '@type': 'text_comment', text: 'hello' } },
};
