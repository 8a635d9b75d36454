/** Texts and small things that many contracts send. */
export const GENERAL = `
  0 3a86f1a0 lock_and_claim = query_id u64, proof ^cell?;
  0 4d696e65 gram_submit_proof_of_work = flags u8, expire u32, whom b256, rdata1 b256, rseed u128,
    rdata2 b256;
  0 7aa23eb5 invoice_payload = id b128, url @PaymentProviderUrl;
  1 00000000 text_comment = text snake;
  1 1690c604 credit = query_id u64, amount coins;
  1 2167da4b encrypted_text_comment = cipher_text @Bytes;
  1 7b4b42e6 approve = query_id u64;
  1 d372158c top_up = query_id u64;
  1 d53276db excess = query_id u64;
  1 e8a0abfe disapprove = query_id u64;
  1 ffffffff bounce = payload cell;
  2 00000000 text_comment = text ^snake;
  3 53f34cd6 update_pubkey = query_id u64, new_pubkey b256;
  12 ccc2c823 nerd_qr_verify = item_id u32, signature b512;
  13 2167da4b encrypted_text_comment_forward_payload = cipher_text @Bytes;
  13 7aa23eb5 invoice_payload_forward_payload = id b128, url @PaymentProviderUrl;

  Bytes _ = cell;
  PaymentProviderUrl none #00;
  PaymentProviderUrl tonsite #01 = address b256;
`;
