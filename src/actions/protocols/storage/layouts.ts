export const STORAGE = `
  3 107c49ef offer_storage_contract = query_id u64;
  3 419d5d4d proof_storage = query_id u64, file_dict_proof ^cell;
  3 46ed2e94 storage_withdraw = query_id u64;
  3 54cbf19b update_storage_params = query_id u64, accept_new_contracts bool, rate_per_mb_day coins,
    max_span u32, minimal_file_size u64, maximal_file_size u64;
  3 79f937ea close_storage_contract = query_id u64;
  3 7a361688 accept_storage_contract = query_id u64;
  3 a91baf56 storage_reward_withdrawal = query_id u64;
  3 b6236d63 storage_contract_terminated = cur_lt u64, torrent_hash b256;
  3 d4caedcd storage_contract_confirmed = cur_lt u64, torrent_hash b256;
  3 e4748df1 deploy_storage_contract = query_id u64, info ^@TorrentInfo, merkle_hash b256,
    expected_rate coins, expected_max_span u32;

  TorrentInfo torrent_info = piece_size u32, file_size u64, root_hash u256, header_size u64,
    header_hash u256, microchunk_hash u256?, description cell;
`;
