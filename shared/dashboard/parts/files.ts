/** The files that a person chose. A field without a choice gives an empty one. */
export const filesIn = (values: FormData, name: string): File[] =>
  values.getAll(name).filter((value): value is File => value instanceof File && value.size > 0);

/** A file's content as base64. */
export const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
