import type { UserInfo } from './session.ts'

/** The value of `loginUserId` in a call: the user's `supplierStaffId`, else the user's `id` (crm-contract 2). */
export const loginUserId = (user: UserInfo): string => user.supplierStaffId || user.id
