/** Messages of NFTs, soul-bound tokens and their sales. */
export const NFTS = `
  2 04ded148 prove_ownership = query_id u64, dest addr, forward_payload ^cell, with_content bool;
  2 05138d91 nft_ownership_assigned = query_id u64, prev_owner addr, forward_payload either<cell, ^cell>;
  2 0524c7ae ownership_proof = query_id u64, item_id u256, owner addr, data ^cell, revoked_at u64,
    content ^cell?;
  2 0dd607e3 sbt_owner_info = query_id u64, item_id u256, initiator addr, owner addr, data ^cell,
    revoked_at u64, content ^cell?;
  2 1f04537a sbt_destroy = query_id u64;
  2 2fcb26a2 get_static_data = query_id u64;
  2 5fcc3d14 nft_transfer = query_id u64, new_owner addr, response_destination addr, custom_payload ^cell?,
    forward_amount vu16, forward_payload either<cell, ^cell>;
  2 693d3950 get_royalty_params = query_id u64;
  2 6f89f5e3 sbt_revoke = query_id u64;
  2 8b771735 report_static_data = query_id u64, index u256, collection addr;
  2 a8cb00ad report_royalty_params = query_id u64, numerator u16, denominator u16, destination addr;
  2 d0c3bfea sbt_request_owner = query_id u64, dest addr, forward_payload ^cell, with_content bool;
  6 6c6c2080 sale_update_message = query_id u64, new_full_price coins, new_mp_fee coins,
    new_royalty_amount coins;

  NftRoyaltyParams nft_royalty_params = numerator u16, denominator u16, destination addr;
`;
