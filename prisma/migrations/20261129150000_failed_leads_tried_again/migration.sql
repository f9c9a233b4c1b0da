-- A lead whose step failed goes on by its owner's word, once what it failed for was mended.
ALTER TYPE "LeadEvent" ADD VALUE 'tried_again' AFTER 'taken_back';
