/** The CRM rejects the token as invalid. The status is not in the HTTP standard (crm-contract 3). */
export const INVALID_TOKEN = 498
