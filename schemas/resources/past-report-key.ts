/**
 * Keys of a machine's past reports. A separate file, so that the screen that shows them does not load their schemas.
 */

export const pastReportKey = (deviceId: string, id: string) => `${deviceId}_${id}`

/** Selector of a machine's past reports, by key range. `deviceId` is the CRM's id of the machine. */
export const pastReportsOf = (deviceId: string) => ({
  deviceId,
  key: { $gte: `${deviceId}_`, $lt: `${deviceId}\`` },
})
