import { messagesOf } from '../../rules/message-layouts.ts';

export const DNS = `
  0 44beae41 process_governance_decision = query_id u64;
  0 4eb1f0f9 change_dns_record = query_id u64, key b256, value ^@DNSRecord;
  0 4ed14b65 dns_balance_release = query_id u64;
  1 4eb1f0f9 delete_dns_record = query_id u64, key b256;

  DNSRecord dns_text #1eda = @Text;
  DNSRecord dns_next_resolver #ba93 = resolver addrInt;
  DNSRecord dns_adnl_address #ad01 = adnl_addr b256, flags u8, {flags <= 1},
    proto_list [flags.0] @ProtoList;
  DNSRecord dns_smc_address #9fd3 = smc_addr addrInt, flags u8, {flags <= 1},
    cap_list [flags.0] @SmcCapList;
  DNSRecord dns_storage_address #7473 = bag_id b256;
  ProtoList proto_list_nil $0;
  ProtoList proto_list_next $1 = item @Protocol, next @ProtoList;
  Protocol proto_http #4854;
  SmcCapList cap_list_nil $0;
  SmcCapList cap_list_next $1 = item @SmcCapability, next @SmcCapList;
  SmcCapability cap_method_seqno #5371;
  SmcCapability cap_method_pubkey #71f4;
  SmcCapability cap_is_wallet #2177;
  SmcCapability cap_name #ff = name @Text;
  Text text = chunks u8, rest @TextChunks<chunks>;
  TextChunkRef<n+1> chunk_ref = ref ^@TextChunks<n+1>;
  TextChunkRef<0> chunk_ref_empty;
  TextChunks<n+1> text_chunk = len u8, data b<len*8>, next @TextChunkRef<n>;
  TextChunks<0> text_chunk_empty;
`;

export const dns = messagesOf(DNS);
