-- One database per network on every node of the cluster. The nodes of docker-compose.yml run this when their volume is new.
CREATE DATABASE tongate_mainnet;
\connect tongate_mainnet
CREATE EXTENSION citus;
CREATE DATABASE tongate_testnet;
\connect tongate_testnet
CREATE EXTENSION citus;
