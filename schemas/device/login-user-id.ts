import type { UserInfo } from './session.ts'

/**
 * `loginUserId` of a call: the staff's `supplierStaffId`, else the user's `id` (crm-contract 2). Without
 * ArkType.
 */
export const loginUserId = (user: UserInfo): string => user.supplierStaffId || user.id
