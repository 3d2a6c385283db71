import type { UserInfo } from './session.ts'

/** `loginUserId` of a call: the user's `supplierStaffId`, or the user's `id` without one (crm-contract 2). */
export const loginUserId = (user: UserInfo): string => user.supplierStaffId || user.id
