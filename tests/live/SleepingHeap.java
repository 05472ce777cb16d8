/* SPDX-License-Identifier: MIT */

/** A program whose heap is all that there is to see: says that it runs, ends with its input. */
public final class SleepingHeap {
	private SleepingHeap() {
	}

	public static void main(String[] arguments) throws java.io.IOException {
		System.out.println("ready");
		while (System.in.read() >= 0) {
			continue;
		}
	}
}
