/** Why a worker did not offer what it had claimed: by then the claim may belong to another worker. */
export const TOO_LATE = 'Its turn came too late: whoever had claimed it was not heard of for too long'
