import { messagesOf, recordReader } from '../../rules/message-layouts.ts';

/**
 * Messages and structures of LayerZero, which are not shown decoded. Every structure starts with a description of its own
 * layout, and ones up to the end of that header.
 */
const LAYERZERO = `
  0 dd4ea3b4 endpoint_send;
  0 536feb09 channel_send;
  0 4002b790 msglib_send;
  0 5de68393 uln_send;
  0 421c1a25 msglib_send_callback;
  0 a2b5fbae send_callback;
  0 e33b9873 event;
  0 22f3ac09 prepare;
  0 97df404c receive_prepare;
  0 b7680bc6 receive_lock;
  0 0c7b8418 receive_execute;
  0 caae25a1 execute_callback;
  0 28b97077 uln_commit;
  0 f9d37b80 uln_connection_commit;
  0 5dab749a endpoint_commit;
  0 5388cd88 channel_commit;
  0 5e178f33 commit_callback;
  0 a0d51a8d dvn_verify;
  0 09f047d9 proxy_call;
  0 994aaf4e uln_verify;
  0 4ec8f80a uln_connection_verify;
  0 3cb38090 verify_callback;

  Packet _ = header u152, ones u198, path ^@Path, message ^cell, nonce u64, guid u256;
  Path _ = header u152, ones u198, src_eid u32, src_oapp u256, dst_eid u32, dst_oapp u256;
  SendRequest _ = header u260, ones u90, id u64, msglib_manager u256, msglib u256, packet ^@Packet, extra ^cell,
    fees ^{quote u256, native_fee u128, zro_fee u128};
  Verification _ = header u116, ones u234, nonce u64, status u32;
`;

export const layerzero = messagesOf(LAYERZERO);

/** Reads a packet between chains. */
export const packetAt = recordReader(LAYERZERO, 'Packet');

export const sendRequestAt = recordReader(LAYERZERO, 'SendRequest');

export const verificationAt = recordReader(LAYERZERO, 'Verification');
