/** The staff of a supplier (crm-contract 4). */
import { reply, type Handler, type Route } from '#demo-crm/world/call.ts'
import { others, users } from '../seed/people.ts'

const list: Handler = ({ params: [supplierId = ''] }) => {
  const staff = [...users, ...others].filter((user) => user.supplierId === supplierId)
  const view = staff.map(({ supplierStaffId, loginUserName, userFlag }) => ({
    id: supplierStaffId,
    name: loginUserName,
    supplierId,
    userFlag,
  }))
  return staff.length > 0 ? reply.ok(view) : reply.notFound
}

export const supplierStaffRoutes: Route[] = [
  { method: 'GET', path: 'supplierStaff/:supplierId', handle: list },
]
