/** A message without the fields that its later delivery changes. */
export const lasting = ({ status: _, deliveredAt: __, ...message }: Record<string, unknown>) => message;
