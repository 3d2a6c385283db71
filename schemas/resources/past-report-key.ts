/** Keys of a machine's past reports. In a separate file, because the screen of the reports does not need ArkType. */

export const pastReportKey = (deviceId: string, id: string) => `${deviceId}_${id}`

/** Selector of a machine's past reports, by key range. `deviceId` is the CRM's id of the machine. */
export const pastReportsOf = (deviceId: string) => ({
  deviceId,
  key: { $gte: `${deviceId}_`, $lt: `${deviceId}\`` },
})
