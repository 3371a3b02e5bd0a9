/** Marks what only operators of the platform can do or see. */
export const OperatorsOnly = () => <span class="tag">Operators only</span>;
