/** The status of an answer that no standard names (crm-contract 3): the CRM calls the token invalid. */
export const INVALID_TOKEN = 498
