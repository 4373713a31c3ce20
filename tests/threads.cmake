# Names of the tests that start threads.
set(threads "thread|softmax|order|npy|npz|demo")
