-- A value of its own migration: Postgres takes it into use only once it is committed.
ALTER TYPE "SessionWork" ADD VALUE 'personalization';
