create table api_keys (
  id bigint generated always as identity not null,
  hash bytea not null,
  name text not null,
  plan text not null,
  networks text[] default '{}'::text[] not null,
  rps integer not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_rps_positive CHECK ((rps > 0))
);
CREATE UNIQUE INDEX api_keys_hash_key ON public.api_keys USING btree (hash);
CREATE UNIQUE INDEX api_keys_pkey ON public.api_keys USING btree (id);
