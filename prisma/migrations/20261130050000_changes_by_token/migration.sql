-- AlterEnum
ALTER TYPE "ChangedBy" ADD VALUE 'token';
