/** Keys of a machine's past reports. ArkType is not imported, because the screen of past reports does not need it. */

export const pastReportKey = (deviceId: string, id: string) => `${deviceId}_${id}`

/**
 * Selector of a machine's past reports.
 * @param deviceId the CRM's id of the machine
 */
export const pastReportsOf = (deviceId: string) => ({
  deviceId,
  key: { $gte: `${deviceId}_`, $lt: `${deviceId}\`` },
})
