/** Why a worker did not offer what it had claimed: by then the claim may belong to another worker. */
export const TOO_LATE = 'It was claimed too long ago by a worker that stopped responding'
