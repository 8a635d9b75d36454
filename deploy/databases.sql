-- One database per network. PostgreSQL of docker-compose.yml runs this when its volume is new.
CREATE DATABASE tongate_mainnet;
CREATE DATABASE tongate_testnet;
CREATE DATABASE tongate_localnet;
