/** A non-standard status (crm-contract 3): the CRM rejects the token as invalid. */
export const INVALID_TOKEN = 498
